/** The details of an error response besides its status and message. */
export interface ApiErrorDetails {
  type?: string;
  /** The invalid request field, with its index: `messages[2].content`. */
  param?: string | null;
  code?: string | null;
  headers?: Record<string, string>;
}

/** An error response; thrown during validation and sent in the form of the API. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: ApiErrorDetails;

  constructor(status: number, message: string, details: ApiErrorDetails = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }

  /** The JSON body, in the shape that OpenAI uses. */
  get body(): { error: { message: string; type: string; param: string | null; code: string | null } } {
    const { type = "invalid_request_error", param = null, code = null } = this.details;
    return { error: { message: this.message, type, param, code } };
  }
}

/** Throws a 400 that names the invalid field. */
export function refuse(param: string | null, code: string, message: string): never {
  throw new ApiError(400, message, { param, code });
}

/** True for a JSON object: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
