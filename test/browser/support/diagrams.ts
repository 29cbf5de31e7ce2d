/** One diagram of each kind that people use, with the kind's name. */
export const DIAGRAMS: Readonly<Record<string, string>> = {
  flowchart:
    "flowchart TD\n  A[Open the box] -->|look| B{Is there a cat?}\n  B -- yes --> C[Pet it<br/>softly]\n  B -- no --> D((Wait))",
  sequence:
    "sequenceDiagram\n  participant P as Panel\n  participant H as Host\n  P->>H: chat/send\n  activate H\n  Note over P,H: one message\n  H-->>P: snapshot\n  deactivate H",
  class: "classDiagram\n  class Cat {\n    +String name\n    +purr() void\n  }\n  Animal <|-- Cat",
  state: "stateDiagram-v2\n  [*] --> Asleep\n  Asleep --> Awake : food\n  Awake --> [*]",
  er: "erDiagram\n  CAT ||--o{ TOY : owns\n  CAT {\n    string name\n    int age\n  }",
  gantt:
    "gantt\n  title A day\n  dateFormat YYYY-MM-DD\n  section Cat\n  Sleep :a1, 2025-01-01, 3d\n  Eat :crit, after a1, 1d",
  pie: 'pie title A day of a cat\n  "Sleep" : 16\n  "Eat" : 3\n  "Play" : 5',
  git: "gitGraph\n  commit\n  branch cat\n  commit\n  checkout main\n  merge cat",
  mindmap: "mindmap\n  root((Cat))\n    Food\n      Fish\n    Sleep",
  timeline: "timeline\n  title A cat\n  2020 : born\n  2021 : first mouse : second mouse",
  journey: "journey\n  title A morning\n  section Food\n    Meow: 5: Cat\n    Open the can: 3: Human",
  quadrant:
    'quadrantChart\n  title Cats\n  x-axis Calm --> Wild\n  y-axis Small --> Big\n  "Neko": [0.3, 0.6]',
  xy: 'xychart-beta\n  title "Naps"\n  x-axis [Mon, Tue, Wed]\n  y-axis "Hours" 0 --> 20\n  bar [12, 16, 14]\n  line [10, 12, 11]',
  block: 'block-beta\n  columns 2\n  a["Cat"] b["Box"]\n  a --> b',
  architecture:
    "architecture-beta\n  group home(cloud)[Home]\n  service cat(server)[Cat] in home\n  service bowl(database)[Bowl] in home\n  cat:R --> L:bowl",
  kanban: "kanban\n  todo[To do]\n    a[Sleep]\n  done[Done]\n    b[Eat]",
  sankey: "sankey-beta\n\nFish,Cat,3\nMilk,Cat,2",
};
