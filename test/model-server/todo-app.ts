const INDEX_HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Todo</title>
    <link rel="stylesheet" href="style.css" />
    <script src="script.js" defer></script>
  </head>
  <body>
    <main id="todo-app">
      <h1>Todo</h1>
      <form id="new-todo">
        <label for="new-todo-text">What needs doing?</label>
        <div class="row">
          <input id="new-todo-text" type="text" autocomplete="off" maxlength="200" required autofocus />
          <button type="submit">Add</button>
        </div>
      </form>
      <div id="filters" role="group" aria-label="Show">
        <button type="button" data-filter="all" aria-pressed="true">All</button>
        <button type="button" data-filter="open" aria-pressed="false">Open</button>
        <button type="button" data-filter="done" aria-pressed="false">Done</button>
      </div>
      <ul id="todos"></ul>
      <p id="empty" hidden>Nothing here.</p>
      <footer>
        <span id="count" aria-live="polite"></span>
        <button type="button" id="clear-done">Remove done</button>
      </footer>
    </main>
  </body>
</html>
`;

const STYLE_CSS = `:root {
  color-scheme: light dark;
  --ink: light-dark(#1d2433, #e6e9f0);
  --muted: light-dark(#667085, #98a2b3);
  --paper: light-dark(#ffffff, #1b202b);
  --ground: light-dark(#eef1f6, #11151d);
  --line: light-dark(#d5dae3, #333b4b);
  --accent: light-dark(#2457d6, #7ea2ff);
}

* {
  box-sizing: border-box;
}

body {
  margin: 0;
  padding: 2rem 1rem;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif;
}

main {
  max-width: 32rem;
  margin: 0 auto;
  padding: 1.5rem;
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
}

h1 {
  margin: 0 0 1rem;
}

label[for="new-todo-text"] {
  color: var(--muted);
  font-size: 0.875rem;
}

.row,
#filters,
footer,
li {
  display: flex;
  gap: 0.5rem;
  align-items: center;
}

input[type="text"] {
  flex: 1;
  min-width: 0;
}

input[type="text"],
button {
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: transparent;
  color: inherit;
  font: inherit;
}

button {
  cursor: pointer;
}

button[type="submit"],
button[aria-pressed="true"] {
  border-color: var(--accent);
  color: var(--accent);
}

:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}

#filters {
  margin: 1rem 0;
}

#todos {
  margin: 0;
  padding: 0;
  list-style: none;
}

li {
  padding: 0.5rem 0;
  border-top: 1px solid var(--line);
}

li label {
  flex: 1;
  display: flex;
  gap: 0.5rem;
  overflow-wrap: anywhere;
}

li.done span {
  color: var(--muted);
  text-decoration: line-through;
}

footer {
  justify-content: space-between;
  margin-top: 1rem;
  padding-top: 1rem;
  border-top: 1px solid var(--line);
  color: var(--muted);
}
`;

const SCRIPT_JS = `"use strict";

const STORAGE_KEY = "todos";

/** @type {{ id: string, text: string, done: boolean }[]} */
let todos = load();
let filter = "all";

const form = document.getElementById("new-todo");
const input = document.getElementById("new-todo-text");
const list = document.getElementById("todos");
const empty = document.getElementById("empty");
const count = document.getElementById("count");
const clearDone = document.getElementById("clear-done");
const filters = document.getElementById("filters");

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = input.value.trim();
  if (text === "") return;
  const id = String(Date.now()) + "-" + Math.random().toString(36).slice(2);
  change([...todos, { id, text, done: false }]);
  input.value = "";
  input.focus();
});

list.addEventListener("change", (event) => {
  const id = idOf(event.target);
  change(todos.map((todo) => (todo.id === id ? { ...todo, done: event.target.checked } : todo)));
  // The rows are new elements: the keyboard stays where it was, or goes to the input if the row is filtered out.
  const item = [...list.children].find((candidate) => candidate.dataset.id === id);
  (item ? item.querySelector("input") : input).focus();
});

list.addEventListener("click", (event) => {
  if (!event.target.matches("button")) return;
  const id = idOf(event.target);
  change(todos.filter((todo) => todo.id !== id));
  input.focus();
});

clearDone.addEventListener("click", () => change(todos.filter((todo) => !todo.done)));

filters.addEventListener("click", (event) => {
  if (!event.target.dataset.filter) return;
  filter = event.target.dataset.filter;
  render();
});

function idOf(element) {
  return element.closest("li").dataset.id;
}

function change(next) {
  todos = next;
  save();
  render();
}

function load() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) || "[]");
    return Array.isArray(stored) ? stored : [];
  } catch {
    return []; // Storage is off or holds something else: start empty.
  }
}

function save() {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(todos));
  } catch {
    // Storage is off or full: the list lives as long as the page.
  }
}

function render() {
  const shown = todos.filter((todo) => filter === "all" || todo.done === (filter === "done"));
  list.replaceChildren(...shown.map(row));
  empty.hidden = shown.length > 0;
  const open = todos.filter((todo) => !todo.done).length;
  count.textContent = open === 1 ? "1 open" : open + " open";
  clearDone.disabled = open === todos.length;
  for (const button of filters.querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.dataset.filter === filter));
  }
}

function row(todo) {
  const item = document.createElement("li");
  item.dataset.id = todo.id;
  item.classList.toggle("done", todo.done);

  const label = document.createElement("label");
  const checkbox = document.createElement("input");
  checkbox.type = "checkbox";
  checkbox.checked = todo.done;
  const text = document.createElement("span");
  text.textContent = todo.text;
  label.append(checkbox, text);

  const remove = document.createElement("button");
  remove.type = "button";
  remove.textContent = "Remove";
  remove.setAttribute("aria-label", "Remove " + todo.text);

  item.append(label, remove);
  return item;
}

render();
`;

/** A small Todo application that works when index.html is opened: file name to content, in the order of writing. */
export const TODO_FILES: Readonly<Record<string, string>> = {
  "index.html": INDEX_HTML,
  "style.css": STYLE_CSS,
  "script.js": SCRIPT_JS,
};
