/** Icons of 16 by 16 in the text's color. They never carry a meaning alone: the control has a name. */
const PATHS = {
  add: "M8 2.5v11M2.5 8h11",
  attach: "M13 7.4 7.9 12.5a3 3 0 0 1-4.3-4.3l5.6-5.6a2 2 0 0 1 2.9 2.9l-5.4 5.3a1 1 0 0 1-1.4-1.4l4.7-4.7",
  at: "M10.4 8a2.4 2.4 0 1 0-4.8 0 2.4 2.4 0 0 0 4.8 0M10.4 5.6v3.2c0 2 3.2 1.6 3.2-.8A5.6 5.6 0 1 0 11 12.7",
  history: "M2.6 8a5.4 5.4 0 1 0 1.7-3.9L2.5 5.8M2.5 2.6v3.2h3.2M8 5v3.2l2.2 1.4",
  settings:
    "M8 5.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4M8 1.8v1.9M8 12.3v1.9M1.8 8h1.9M12.3 8h1.9M3.6 3.6l1.4 1.4M11 11l1.4 1.4M3.6 12.4l1.4-1.4M11 5l1.4-1.4",
  send: "M2.5 8h9.6M8.2 3.8 12.4 8l-4.2 4.2",
  stop: "M4.5 4.5h7v7h-7z",
  close: "M4 4l8 8M12 4l-8 8",
  agent: "M3 5.5h10v7H3zM8 5.5v-3M6 8.6v.4M10 8.6v.4M1.5 8v2.5M14.5 8v2.5",
  chevron: "M6 3.5 10.5 8 6 12.5",
  expand: "M3.5 6 8 10.5 12.5 6",
  copy: "M5.5 5.5h7v7h-7zM3.5 10.5v-7h7",
  check: "M3 8.5l3.2 3.2L13 4.8",
  commit: "M8 1.5v4M8 10.5v4M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5",
  diff: "M8 2.5v5M5.5 5h5M5.5 11.5h5M3 2v12h10V2",
  undo: "M3 3v4h4M3.3 7A5.2 5.2 0 1 1 4 11.2",
  up: "M8 12.5V3M4 6.8l4-4 4 4",
  down: "M8 3v9.5M4 8.7l4 4 4-4",
  back: "M13 8H3.5M7.3 3.8 3.2 8l4.1 4.2",
  file: "M4 1.8h5l3 3v9.4H4zM9 1.8v3h3",
  folder: "M1.8 12.5v-9h4.4l1.4 1.8h6.6v7.2z",
  edit: "M2.8 13.2l.6-2.8 7.4-7.4 2.2 2.2-7.4 7.4zM9.4 4.4l2.2 2.2",
  search: "M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4M10.2 10.2l3.3 3.3",
  "list-unordered": "M2.5 4h11M2.5 8h11M2.5 12h7",
  terminal: "M2.8 4.5 6 7.5l-3.2 3M7.5 11.5h5.5",
  question: "M5.6 6a2.4 2.4 0 1 1 3.6 2c-.8.5-1.2.9-1.2 1.8M8 12.2v.4",
  tools: "M3 13l5-5M13.2 4.2 11 6.4 9.6 5l2.2-2.2a3.2 3.2 0 0 0-3.9 4.2l1.1 1.1a3.2 3.2 0 0 0 4.2-3.9",
  more: "M3.5 8h.1M8 8h.1M12.5 8h.1",
  branch: "M4.5 3v10M4.5 8h3a4 4 0 0 0 4-4V3M9.5 5l2-2 2 2",
  star: "M8 2.4l1.7 3.6 3.9.5-2.9 2.7.8 3.9L8 11.2l-3.5 1.9.8-3.9L2.4 6.5l3.9-.5z",
  image: "M2 3h12v10H2zM2 11.2l3.6-3.6 2.8 2.8 2-2 3.6 3.4M10.6 5.6h.1",
  book: "M8 4.2C6.8 3.2 5 2.8 2.5 2.8v9.4c2.5 0 4.3.4 5.5 1.4 1.2-1 3-1.4 5.5-1.4V2.8c-2.5 0-4.3.4-5.5 1.4v9.4",
  lock: "M4 7.2h8v6.3H4zM5.8 7.2V5.1a2.2 2.2 0 0 1 4.4 0v2.1",
  shield: "M8 1.9l5 1.7v4.1c0 3-2 5.2-5 6.4-3-1.2-5-3.4-5-6.4V3.6z",
  fork: "M8 13.5V9.2L3.5 4.5M8 9.2l4.5-4.7M3.5 7.7V4.5h3.2M12.5 7.7V4.5H9.3",
  globe: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M2.2 8h11.6M8 2c4 4 4 8 0 12M8 2c-4 4-4 8 0 12",
  symbol: "M8 2l5 2.8v6.4L8 14l-5-2.8V4.8zM3 4.8l5 2.8 5-2.8M8 7.6V14",
  tab: "M2 3h12v10H2zM2 6.2h12M8 3v3.2",
  thought: "M6 11.4v-1a4 4 0 1 1 4 0v1zM6.6 13.6h2.8",
  text: "M3 4h10M3 7h10M3 10h6",
  plug: "M5.8 2v3.2M10.2 2v3.2M3.8 5.2h8.4v1.6a4.2 4.2 0 0 1-8.4 0zM8 11v3",
  sparkle: "M8 2l1.6 4.4L14 8l-4.4 1.6L8 14l-1.6-4.4L2 8l4.4-1.6z",
  warning: "M8 2.5 14 13H2zM8 6.5v3.2M8 11.2v.3",
} as const;

export type IconName = keyof typeof PATHS;

/** Whether an icon for the codicon name exists here. */
export function isDrawn(name: string): name is IconName {
  return Object.hasOwn(PATHS, name);
}

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className={`icon icon-${name}`}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
