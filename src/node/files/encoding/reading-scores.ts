/**
 * Scores how a text reads that was decoded in an older encoding, by what its characters are. Made for source files, where a few
 * words of comment are all the evidence there is: too little for the detector.
 */

/** Frequent characters of each script; in short comments most characters are among them. */
const JAPANESE = new Set(
  "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七成期公持野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有疑口過局少放税検藤町常校料沢裁状工建語球営空職証土与急止送援供可役構木割聞身費付施切由説転食比難防補車優夫研収断井何南石足違消境神番規術護展態導鮮備宅害配副算視条幹独警宮究育席輸訪楽起万着乗店述残想線率病農州武声質念待試族象銀域助労例衛然早張映限親額監環験追審商葉義伝働形景落欧担好退準賀訴辺造英被株頭技低毎医復仕去姿味負閣韓渡失移差衆個門写評課末守若脳極種美岡影命含福蔵量望松非撃佐核観察整段横融型白深字答夜製票況音申様財港識注呼渉達響阪帰針専推谷古候史天階程満敗管値歌買突兵接請器士光討路悪科攻崎督授催細効図週積丸他及湾録処省旧室憲太橋歩離岸客風紙激否周師摘材登系批郎母易健黒火戸速存花春飛殺央券赤号単盟座青破編捜竹除完降超責並療従右修捕隊危採織森競拡故館振給屋介読弁根色友苦就迎走販園具左異歴辞将秋因献厳馬愛幅休維富浜父遺彼般未塁貿講邦舞林装諸夏素亡劇河遣航抗冷模雄適婦鉄寄益込顔緊類児余禁印逆王返標換欲署頑換呼秀描紹挿抽削除項項索覧編既択択詳細更称便列配該当例外型宣省略参照初期値設定変数関数引数戻処理実行読込書込保存開始終了追加削除更新検索表示画面入力出力確認猫犬鳥魚虫警告顧客庫尺漢仮符概依頼秒桁枚匹冊個円税込貼付添複製欄枠幅奥併頃誰僕俺君彼達々〆薔薇憂鬱",
);

const CHINESE = new Set(
  "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔编码输入出函数变量参返值返回类型数组字符串默认设置配置注释文件错误测试用户密码登录数据库连接失败成功加载保存删除修改添加查询读写获取初始化计算总和检查是否为空循环条件执行结果异常处理线程进程服务器客户端请求响应接口模块版本号码名称描述状态时间日期显示页面按钮点击选择列表标题内容请勿改不允许这里需使订单警告库存价格编号产品商店购买支付猫狗鱼鸟您谢帮助提示欢迎",
);

const KOREAN = new Set(
  "이다는의에을가고를한은로하자기지사서어시정리대나인도해라일수아그전들있으보제부상성구스원과장사게만요주안니여합조세비유경생동위우간오공국러면계용소중신회내마연실관문모개무방분발선적치물했결미시말산현교바진화법명후입력출체설값변수함환반행파추가삭제확트습데터타등록검색처음끝오류",
);

/** A verdict on one candidate: higher reads better; undefined where the text cannot be in this encoding. */
export type Score = number | undefined;

/** Scores one character by its code and the codes next to it. */
type Judge = (code: number, before: number, after: number) => number;

/** The first and last code, and the score of the characters between; the first range that contains a character applies. */
type Range = readonly [from: number, to: number, worth: number | Judge];

const PRIVATE_USE: Range = [0xe000, 0xf8ff, -5];
const KANA = [0x3041, 0x30fe] as const;
const HALF_KANA = [0xff61, 0xff9f] as const;
const IDEOGRAPHS = [0x4e00, 0x9fff] as const;
const FULL_WIDTH = [0xff01, 0xff5e] as const;
const TYPOGRAPHIC = [0x2010, 0x266f] as const;

/** Scores a text as Japanese. Half-width katakana counts little: other encodings' bytes often resemble it. */
export const scoreJapanese = scoreRanges([
  [...KANA, 3],
  [0x3000, 0x3020, 2.5],
  [...FULL_WIDTH, 2.5],
  [...HALF_KANA, (_, before, after) => (within(before, HALF_KANA) || within(after, HALF_KANA) ? 1.2 : -1)],
  [...IDEOGRAPHS, frequent(JAPANESE, 3, 0.3)],
  [...TYPOGRAPHIC, 1.5],
  [0x0391, 0x0451, 0],
]);

/** Scores a text as simplified Chinese. */
export const scoreChinese = scoreRanges([
  [...IDEOGRAPHS, frequent(CHINESE, 3, 0.2)],
  [0x3000, 0x3017, 2.5],
  [...FULL_WIDTH, 2.5],
  [...TYPOGRAPHIC, 1.5],
  [...KANA, 0],
]);

/** Scores a text as Korean. */
export const scoreKorean = scoreRanges([
  [0xac00, 0xd7a3, frequent(KOREAN, 3, 0.8)],
  [0x3000, 0x3017, 2],
  [...FULL_WIDTH, 2],
  [...IDEOGRAPHS, 0],
]);

function scoreRanges(ranges: readonly Range[]): (text: string) => Score {
  const all = [PRIVATE_USE, ...ranges];
  return (text) =>
    average(text, (code, before, after) => {
      const worth = all.find((range) => within(code, range))?.[2] ?? -2;
      return typeof worth === "number" ? worth : worth(code, before, after);
    });
}

function frequent(characters: ReadonlySet<string>, often: number, seldom: number): Judge {
  return (code) => (characters.has(String.fromCharCode(code)) ? often : seldom);
}

function within(code: number, range: readonly [from: number, to: number, ...unknown[]]): boolean {
  return code >= range[0] && code <= range[1];
}

/** The average score of the characters that are not ASCII. */
function average(text: string, judge: Judge): Score {
  let sum = 0;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    if (code === 0xfffd) return undefined;
    count += 1;
    sum += judge(code, text.charCodeAt(at - 1), text.charCodeAt(at + 1));
  }
  return count === 0 ? undefined : sum / count;
}

/** The score of a Western sign that has only ASCII characters next to it. */
const ALONE = 1.9;

/** Scores a text as a Western European one: accents inside words, typographic signs beside words. */
export function scoreWestern(text: string): Score {
  return average(text, (code, before, after) => {
    if (isLatin(code)) return worthOfLatin(code, before, after);
    if (!within(code, [0xa0, 0xbf]) && !within(code, [0x2013, 0x2122]) && code !== 0xd7) return -2;
    if (RARE_SIGNS.has(code) || (code === 0x201d && isAsciiLetter(after))) return 0;
    return before >= 0x80 || after >= 0x80 ? 0.4 : ALONE;
  });
}

function worthOfLatin(code: number, before: number, after: number): number {
  const capitalInside = within(code, [0xc0, 0xde]) ? isLower(before) : isUpper(after);
  if (capitalInside) return -1;
  const beside = Number(isAsciiLetter(before)) + Number(isAsciiLetter(after));
  const crowd = Number(before >= 0x80) + Number(after >= 0x80);
  if (crowd === 0) return beside > 0 ? 2.4 : ALONE - 0.6;
  return crowd === 1 && beside === 1 ? 1.2 : -0.5;
}

const LATIN_EXTRAS = new Set([0x152, 0x153, 0x160, 0x161, 0x178, 0x17d, 0x17e, 0x192]);

function isLatin(code: number): boolean {
  return (within(code, [0xc0, 0xff]) && code !== 0xd7 && code !== 0xf7) || LATIN_EXTRAS.has(code);
}

function isAsciiLetter(code: number): boolean {
  return isUpper(code) || isLower(code);
}

function isUpper(code: number): boolean {
  return within(code, [65, 90]);
}

function isLower(code: number): boolean {
  return within(code, [97, 122]);
}

/** Signs that bytes of other encodings turn into more often than anybody writes them. */
const RARE_SIGNS = new Set([0x2020, 0x2021, 0x2030, 0x2039, 0x203a, 0x201a, 0x201e]);

/** Scores a text as a Cyrillic one: whole words of it. */
export function scoreCyrillic(text: string): Score {
  let sum = 0;
  let count = 0;
  for (const [word] of text.matchAll(/[^\0-\x7f]+/g)) {
    count += word.length;
    if (
      /^[\u0410-\u042f\u0401]?[\u0430-\u044f\u0451]*$/u.test(word) ||
      /^[\u0410-\u042f\u0401]+$/u.test(word)
    ) {
      const usual = word
        .toLowerCase()
        .match(
          /[\u043e\u0435\u0430\u0438\u043d\u0442\u0441\u0440\u0432\u043b\u043a\u043c\u0434\u043f\u0443\u044f\u044b\u044c]/gu,
        );
      sum += word.length > 1 ? word.length * (1 + 1.5 * ((usual?.length ?? 0) / word.length)) : 0;
    } else if (/^[\u00ab\u00bb\u2013\u2014\u201c\u201e\u2026\u2116\u00a9\u00a0]+$/u.test(word))
      sum += word.length * 1.5;
  }
  return count === 0 ? undefined : sum / count;
}
