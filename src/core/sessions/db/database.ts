/** The part of SQLite in memory (sql.js) that the store needs. */
import type { Database as SqlDatabase, SqlJsStatic, SqlValue, Statement } from "sql.js";
import type * as z from "../../../shared/zod.ts";
import type { Assets } from "../../ports/system.ts";

let loading: Promise<SqlJsStatic> | undefined;

/** Loads the WebAssembly once, when the first database is opened. */
async function engine(assets: Assets): Promise<SqlJsStatic> {
  loading ??= (async () => {
    const { default: initSqlJs } = await import("sql.js");
    const bytes = await assets.read("sql-wasm.wasm");
    return initSqlJs({ wasmBinary: new Uint8Array(bytes).buffer });
  })();
  try {
    return await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

export async function openDatabase(assets: Assets, bytes?: Uint8Array): Promise<Database> {
  const sql = await engine(assets);
  return new Database(new sql.Database(bytes));
}

export class Database {
  readonly #db: SqlDatabase;
  readonly #statements = new Map<string, Statement>();

  /** Called with a table, the number of its invalid rows, and their ids. */
  onInvalidRows: (detail: string) => void = () => {};

  constructor(db: SqlDatabase) {
    this.#db = db;
  }

  /** Runs any number of statements, without parameters. */
  execute(sql: string): void {
    this.#db.exec(sql);
  }

  run(sql: string, params: SqlValue[] = []): void {
    const statement = this.#prepare(sql);
    try {
      statement.run(params);
    } finally {
      statement.reset();
    }
  }

  /**
   * Returns all rows, each validated separately. An invalid row is parsed with `lenient`; if that fails too, or is not
   * given, the row is skipped. Reports the number of invalid rows to `onInvalidRows`.
   */
  all<T>(schema: z.ZodMiniType<T>, sql: string, params: SqlValue[] = [], lenient?: z.ZodMiniType<T>): T[] {
    const statement = this.#prepare(sql);
    const rows: T[] = [];
    const invalid: string[] = [];
    try {
      statement.bind(params);
      // Decoded once: `getAsObject` decodes them again for each row.
      const names = statement.getColumnNames();
      while (statement.step()) {
        const row = objectOf(names, statement.get());
        const strict = schema.safeParse(row);
        const read = strict.success ? strict : lenient?.safeParse(row);
        if (read?.success) rows.push(read.data);
        if (!strict.success)
          invalid.push(`${String(row.id ?? "?").slice(0, 100)} (${columnsOf(strict.error)})`);
      }
    } finally {
      statement.reset();
    }
    if (invalid.length > 0)
      this.onInvalidRows(`${tableOf(sql)}: ${invalid.length}: ${invalid.slice(0, 5).join(", ")}`);
    return rows;
  }

  first<T>(
    schema: z.ZodMiniType<T>,
    sql: string,
    params: SqlValue[] = [],
    lenient?: z.ZodMiniType<T>,
  ): T | undefined {
    return this.all(schema, sql, params, lenient)[0];
  }

  /**
   * Passes each row as raw values, without validation: for large numbers of rows in columns that only this store
   * writes.
   */
  each(sql: string, params: SqlValue[], take: (row: SqlValue[]) => void): void {
    const statement = this.#prepare(sql);
    try {
      statement.bind(params);
      while (statement.step()) take(statement.get());
    } finally {
      statement.reset();
    }
  }

  /** Runs `work` as one transaction. */
  transaction(work: () => void): void {
    this.run("BEGIN");
    try {
      work();
      this.run("COMMIT");
    } catch (error) {
      this.run("ROLLBACK");
      throw error;
    }
  }

  /** Returns all rows of a query as raw values. */
  dump(sql: string): SqlValue[][] {
    return this.#db.exec(sql)[0]?.values ?? [];
  }

  count(table: string): number {
    return Number(this.#db.exec(`SELECT count(*) FROM ${table}`)[0]?.values[0]?.[0] ?? 0);
  }

  userVersion(): number {
    return Number(this.#db.exec("PRAGMA user_version")[0]?.values[0]?.[0] ?? 0);
  }

  /** Returns "ok", or a description of the damage. */
  check(): string {
    return String(this.#db.exec("PRAGMA quick_check(1)")[0]?.values[0]?.[0] ?? "no answer");
  }

  /** Returns the bytes of the database file. */
  export(): Uint8Array {
    // sql.js closes all statements during an export, without notice.
    this.#forgetStatements();
    return this.#db.export();
  }

  close(): void {
    this.#forgetStatements();
    this.#db.close();
  }

  #prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #forgetStatements(): void {
    for (const statement of this.#statements.values()) statement.free();
    this.#statements.clear();
  }
}

function objectOf(names: readonly string[], values: readonly SqlValue[]): Record<string, SqlValue> {
  const row: Record<string, SqlValue> = {};
  for (const [index, name] of names.entries()) row[name] = values[index] ?? null;
  return row;
}

function tableOf(sql: string): string {
  return /\bFROM\s+(\w+)/i.exec(sql)?.[1] ?? "?";
}

function columnsOf({ issues }: z.core.$ZodError): string {
  return [...new Set(issues.map(({ path }) => String(path[0] ?? "?")))].join(", ");
}
