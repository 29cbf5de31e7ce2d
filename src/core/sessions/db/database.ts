/** SQLite in memory (sql.js), as far as the store needs it. */
import type { Database as SqlDatabase, SqlJsStatic, SqlValue, Statement } from "sql.js";
import type { z } from "zod";
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

  /** Called with a table, how many of its rows do not fit, and which. */
  onUnfit: (detail: string) => void = () => {};

  constructor(db: SqlDatabase) {
    this.#db = db;
  }

  /** Any number of statements, without parameters. */
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
   * Every row, each checked by itself: one that does not fit is read by `lenient`, and where that does not fit either, or
   * is not given, it is left out. `onUnfit` hears how many there were.
   */
  all<T>(schema: z.ZodType<T>, sql: string, params: SqlValue[] = [], lenient?: z.ZodType<T>): T[] {
    const statement = this.#prepare(sql);
    const rows: T[] = [];
    const unfit: string[] = [];
    try {
      statement.bind(params);
      while (statement.step()) {
        const row = statement.getAsObject();
        const strict = schema.safeParse(row);
        const read = strict.success ? strict : lenient?.safeParse(row);
        if (read?.success) rows.push(read.data);
        if (!strict.success)
          unfit.push(`${String(row.id ?? "?").slice(0, 100)} (${columnsOf(strict.error)})`);
      }
    } finally {
      statement.reset();
    }
    if (unfit.length > 0) this.onUnfit(`${tableOf(sql)}: ${unfit.length}: ${unfit.slice(0, 5).join(", ")}`);
    return rows;
  }

  first<T>(
    schema: z.ZodType<T>,
    sql: string,
    params: SqlValue[] = [],
    lenient?: z.ZodType<T>,
  ): T | undefined {
    return this.all(schema, sql, params, lenient)[0];
  }

  /** Every row as its bare values, without a check: for columns that only this store writes, where there are many. */
  each(sql: string, params: SqlValue[], take: (row: SqlValue[]) => void): void {
    const statement = this.#prepare(sql);
    try {
      statement.bind(params);
      while (statement.step()) take(statement.get());
    } finally {
      statement.reset();
    }
  }

  /** All of it or nothing. */
  transaction(work: () => void): void {
    this.execute("BEGIN");
    try {
      work();
      this.execute("COMMIT");
    } catch (error) {
      this.execute("ROLLBACK");
      throw error;
    }
  }

  /** All rows of a query, as they are. */
  dump(sql: string): SqlValue[][] {
    return this.#db.exec(sql)[0]?.values ?? [];
  }

  count(table: string): number {
    return Number(this.#db.exec(`SELECT count(*) FROM ${table}`)[0]?.values[0]?.[0] ?? 0);
  }

  userVersion(): number {
    return Number(this.#db.exec("PRAGMA user_version")[0]?.values[0]?.[0] ?? 0);
  }

  /** "ok", or what is wrong with it. */
  check(): string {
    return String(this.#db.exec("PRAGMA quick_check(1)")[0]?.values[0]?.[0] ?? "no answer");
  }

  /** The database file's bytes. */
  export(): Uint8Array {
    // sql.js closes all statements in an export, without telling those who hold them.
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

function tableOf(sql: string): string {
  return /\bFROM\s+(\w+)/i.exec(sql)?.[1] ?? "?";
}

function columnsOf({ issues }: z.ZodError): string {
  return [...new Set(issues.map(({ path }) => String(path[0] ?? "?")))].join(", ");
}
