// With NEKODE_COST_GROUP, writes what each test file cost in CPU-seconds: its worker and every process that it started.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect } from "vitest";

const { NEKODE_COST_GROUP: suite, NEKODE_COST_FILE: report } = process.env;

if (suite !== undefined && report !== undefined) {
  const group = path.join(suite, `worker-${process.pid}`);
  mkdirSync(group, { recursive: true });
  writeFileSync(path.join(group, "cgroup.procs"), String(process.pid));
  const used = (): number =>
    Number(/^usage_usec (\d+)$/m.exec(readFileSync(path.join(group, "cpu.stat"), "utf8"))?.[1]) / 1e6;
  const before = used();
  afterAll(() => {
    const name = path.relative(process.cwd(), expect.getState().testPath ?? "");
    appendFileSync(report, `${JSON.stringify({ name, seconds: used() - before })}\n`);
  });
}
