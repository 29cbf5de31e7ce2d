import type { ErrorView } from "../../../shared/models/request-error.ts";

/**
 * Why there is no review. no-repository: the project's folder is in none, or it is not trusted. limit: a limit of costs or requests was
 * reached before the first request. `detail`: the revision or the folder that was named; for nothing-to-review, the reviewed folder where the
 * workspace has several.
 */
export class ReviewFailure extends Error {
  override name = "ReviewFailure";
  readonly code:
    | "no-repository"
    | "unknown-folder"
    | "unknown-revision"
    | "no-common-commit"
    | "nothing-to-review"
    | "limit";
  readonly detail: string;
  constructor(code: ReviewFailure["code"], detail = "") {
    super(code);
    this.code = code;
    this.detail = detail;
  }
}

/** The first request to the model failed. */
export class ReviewRequestFailure extends Error {
  override name = "ReviewRequestFailure";
  readonly view: ErrorView;
  constructor(view: ErrorView) {
    super(view.code);
    this.view = view;
  }
}
