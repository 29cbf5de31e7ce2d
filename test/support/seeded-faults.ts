/** Small changes with one fault each, ours, in six languages: what a review has to find on exactly that line. */

export interface SeededFault {
  path: string;
  before: string;
  after: string;
  /** The line with the fault, in the file after the change; for a removed line, before it. */
  line: number;
  side: "new" | "old";
  text: string;
  title: string;
}

/** A line before and after the change, and what is wrong with it. "": no line. */
type Change = readonly [before: string, after: string, title: string];

interface Language {
  ending: string;
  /** The lines before and after the changed one. */
  head(name: string): readonly string[];
  tail: readonly string[];
  changes: readonly Change[];
}

const LANGUAGES: readonly Language[] = [
  {
    ending: "ts",
    head: (name) => [
      `export async function ${name}(items: number[], limit: number): Promise<number> {`,
      "  let total = 0;",
      "  const first = items[0];",
    ],
    tail: ["  return total;", "}"],
    changes: [
      [
        "  for (let i = 0; i < items.length; i++) total += items[i] ?? 0;",
        "  for (let i = 0; i <= items.length; i++) total += items[i]!;",
        "Reads one item behind the end",
      ],
      [
        "  if (limit > 0) total = items.length;",
        "  if (limit < 0) total = items.length;",
        "The condition is reversed",
      ],
      [
        "  total = limit === 0 ? 0 : items.length / limit;",
        "  total = items.length / limit;",
        "Divides by a limit of zero",
      ],
      ["  await save(items);", "  save(items);", "Does not wait for the write"],
      ["  if (first === undefined) return 0;", "", "The check for an empty list is gone"],
      [
        "  total = Math.min(total, limit);",
        "  total = Math.max(total, limit);",
        "The limit became a minimum",
      ],
      [
        "  if (total === limit) throw new Error('full');",
        "  if ((total = limit)) throw new Error('full');",
        "Assigns in a condition",
      ],
      [
        "  const copy = [...items].sort((a, b) => a - b);",
        "  const copy = items.sort((a, b) => a - b);",
        "Sorts the list of the caller",
      ],
      [
        "  const found = items.filter((item) => item > limit);",
        "  const found = items.filter((item) => { item > limit });",
        "The filter returns nothing",
      ],
      [
        "  total = Number.parseInt(String(first), 10);",
        "  total = eval(String(first));",
        "Runs text as code",
      ],
    ],
  },
  {
    ending: "py",
    head: (name) => [
      `def ${name}(items, limit=10):`,
      "    total = 0",
      "    first = items[0] if items else None",
    ],
    tail: ["    return total"],
    changes: [
      [
        "    for i in range(len(items)):  total += items[i]",
        "    for i in range(len(items) + 1):  total += items[i]",
        "Reads one item too many",
      ],
      ["    if first is None: return 0", "", "The check for an empty list is gone"],
      ["    total = sum(items) / limit if limit else 0", "    total = sum(items) / limit", "Divides by zero"],
      [
        "    with open('log') as log: log.write(str(total))",
        "    log = open('log', 'w'); log.write(str(total))",
        "The file is never closed",
      ],
      ["    except ValueError: raise", "    except: pass", "Hides every error"],
      ["    seen = list(items)", "    seen = items", "Shares the list of the caller"],
      [
        "    if first == limit: total = 1",
        "    if first is limit: total = 1",
        "Compares identities of numbers",
      ],
      [
        "    query = ('select * from t where id = ?', (first,))",
        "    query = f'select * from t where id = {first}'",
        "Allows SQL injection",
      ],
      ["    total = max(0, limit - len(items))", "    total = limit - len(items)", "Becomes negative"],
      ["    assert_limit(limit)", "    assert limit > 0", "The check is gone with python -O"],
    ],
  },
  {
    ending: "go",
    head: (name) => [
      "package faults",
      "",
      `func ${name}(items []int, limit int) (int, error) {`,
      "\ttotal := 0",
    ],
    tail: ["\treturn total, nil", "}"],
    changes: [
      [
        "\tfor i := 0; i < len(items); i++ { total += items[i] }",
        "\tfor i := 0; i <= len(items); i++ { total += items[i] }",
        "Index out of range",
      ],
      ["\tif err := save(items); err != nil { return 0, err }", "\tsave(items)", "The error is ignored"],
      ["\tdefer file.Close()", "", "The file is never closed"],
      ["\tmu.Lock(); defer mu.Unlock()", "\tmu.Lock()", "The lock is never released"],
      [
        "\tif limit == 0 { return 0, errLimit }",
        "\tif limit != 0 { return 0, errLimit }",
        "The condition is reversed",
      ],
      [
        "\tresults := make(chan int, len(items))",
        "\tresults := make(chan int)",
        "The goroutines block for ever",
      ],
      [
        "\tcopied := append([]int(nil), items...)",
        "\tcopied := items[:limit]",
        "Shares the array of the caller",
      ],
      [
        "\tctx, cancel := context.WithTimeout(ctx, second)",
        "\tctx, _ = context.WithTimeout(ctx, second)",
        "The context is never canceled",
      ],
      ["\ttotal = len(items) % limit", "\ttotal = len(items) / limit", "Wrong operator"],
      ["\tif resp.StatusCode != 200 { return 0, errStatus }", "", "The status is no longer checked"],
    ],
  },
  {
    ending: "rs",
    head: (name) => [
      `pub fn ${name}(items: &[u32], limit: u32) -> Option<u32> {`,
      "    let mut total = 0u32;",
    ],
    tail: ["    Some(total)", "}"],
    changes: [
      ["    total = total.checked_add(limit)?;", "    total = total + limit;", "Overflows"],
      [
        "    let first = items.first()?;",
        "    let first = items.first().unwrap();",
        "Panics for an empty slice",
      ],
      [
        "    for item in &items[..items.len()] { total += item; }",
        "    for i in 0..=items.len() { total += items[i]; }",
        "Index out of bounds",
      ],
      ["    let left = limit.saturating_sub(total);", "    let left = limit - total;", "Underflows"],
      ["    if total > limit { return None; }", "", "The limit is no longer checked"],
      ["    let wide = u64::from(limit);", "    let narrow = limit as u8;", "Cuts off the number"],
      [
        "    let text = std::str::from_utf8(bytes).ok()?;",
        "    let text = unsafe { std::str::from_utf8_unchecked(bytes) };",
        "Text that is not UTF-8 is undefined behavior",
      ],
      ["    file.write_all(bytes).ok()?;", "    let _ = file.write(bytes);", "May write a part only"],
      ["    total = total.max(limit);", "    total = total.min(limit);", "Takes the smaller one"],
      [
        "    let _guard = lock.lock().ok()?;",
        "    let _ = lock.lock().ok()?;",
        "The lock is released at once",
      ],
    ],
  },
  {
    ending: "java",
    head: (name) => [
      `final class ${name} {`,
      "  static int run(java.util.List<Integer> items, int limit) {",
      "    int total = 0;",
    ],
    tail: ["    return total;", "  }", "}"],
    changes: [
      [
        "    for (int i = 0; i < items.size(); i++) total += items.get(i);",
        "    for (int i = 0; i <= items.size(); i++) total += items.get(i);",
        "Index out of bounds",
      ],
      [
        "    if (name.equals(other)) total++;",
        "    if (name == other) total++;",
        "Compares references of strings",
      ],
      ["    if (items == null) return 0;", "", "The check for null is gone"],
      [
        "    try (var in = open()) { total = in.read(); }",
        "    var in = open(); total = in.read();",
        "The stream is never closed",
      ],
      ["    total = Math.addExact(total, limit);", "    total += limit;", "Overflows silently"],
      [
        "    synchronized (LOCK) { total = shared++; }",
        "    total = shared++;",
        "Two threads may get the same number",
      ],
      [
        "    catch (InterruptedException e) { Thread.currentThread().interrupt(); }",
        "    catch (InterruptedException e) { }",
        "The interruption is lost",
      ],
      [
        "    var copy = new java.util.ArrayList<>(items);",
        "    var copy = items; copy.clear();",
        "Clears the list of the caller",
      ],
      [
        "    double share = (double) total / limit;",
        "    double share = total / limit;",
        "Divides whole numbers",
      ],
      [
        "    if (limit > 0 && total / limit > 1) total = 1;",
        "    if (total / limit > 1 && limit > 0) total = 1;",
        "Divides before the check",
      ],
    ],
  },
  {
    ending: "c",
    head: (name) => [
      "#include <string.h>",
      "",
      `int ${name}(const char *text, int limit) {`,
      "  char copy[16];",
      "  int total = 0;",
    ],
    tail: ["  return total;", "}"],
    changes: [
      ["  strncpy(copy, text, sizeof copy - 1);", "  strcpy(copy, text);", "Writes behind the buffer"],
      [
        "  for (int i = 0; i < 16; i++) copy[i] = 0;",
        "  for (int i = 0; i <= 16; i++) copy[i] = 0;",
        "Writes one byte behind the buffer",
      ],
      ["  if (text == NULL) return 0;", "", "The check for NULL is gone"],
      ["  char *more = malloc(limit + 1);", "  char *more = malloc(limit);", "No room for the last byte"],
      ["  free(more); more = NULL;", "  free(more); free(more);", "Frees the memory twice"],
      ["  if (limit == 0) return -1;", "  if (limit = 0) return -1;", "Assigns in a condition"],
      ['  printf("%s", text);', "  printf(text);", "The text is a format"],
      [
        "  unsigned size = limit < 0 ? 0 : (unsigned)limit;",
        "  unsigned size = limit;",
        "A negative limit becomes large",
      ],
      ["  total = read(0, copy, sizeof copy);", "  total = read(0, copy, 160);", "Reads more than fits"],
      [
        "  const int last = (int)strlen(text) - 1;",
        "  const unsigned last = strlen(text) - 1;",
        "Wraps for an empty text",
      ],
    ],
  },
];

export const SEEDED_FAULTS: readonly SeededFault[] = LANGUAGES.flatMap(({ ending, head, tail, changes }) =>
  changes.map(([before, after, title], index): SeededFault => {
    const name = `case${index + 1}`;
    const start = head(name);
    const whole = (line: string) => `${[...start, ...(line === "" ? [] : [line]), ...tail].join("\n")}\n`;
    return {
      path: `${ending}/${name}.${ending}`,
      before: whole(before),
      after: whole(after),
      line: start.length + 1,
      side: after === "" ? "old" : "new",
      text: after === "" ? before : after,
      title,
    };
  }),
);
