// The words of the site's frame.

export const ENGLISH_TEXTS = {
  outline: { level: [2, 3], label: "On this page" },
};

export const JAPANESE_TEXTS = {
  outline: { level: [2, 3], label: "このページの内容" },
  docFooter: { prev: "前のページ", next: "次のページ" },
  darkModeSwitchLabel: "外観",
  lightModeSwitchTitle: "ライト テーマに切り替える",
  darkModeSwitchTitle: "ダーク テーマに切り替える",
  sidebarMenuLabel: "メニュー",
  returnToTopLabel: "先頭に戻る",
  langMenuLabel: "言語を変更する",
  skipToContentLabel: "本文へ移動",
  notFound: {
    title: "ページが見つかりません",
    quote: "アドレスが変更されたか、ページが削除された可能性があります。",
    linkLabel: "最初のページへ",
    linkText: "最初のページへ",
  },
};

export const SEARCH_TEXTS = {
  button: { buttonText: "検索", buttonAriaLabel: "検索" },
  modal: {
    displayDetails: "詳細を表示",
    resetButtonTitle: "検索をクリア",
    backButtonTitle: "検索を閉じる",
    noResultsText: "見つかりません:",
    footer: {
      selectText: "選択",
      selectKeyAriaLabel: "Enter",
      navigateText: "移動",
      navigateUpKeyAriaLabel: "上矢印",
      navigateDownKeyAriaLabel: "下矢印",
      closeText: "閉じる",
      closeKeyAriaLabel: "Esc",
    },
  },
};
