/** Judges each request before it is sent. On the session of a whole browser, that covers all pages, workers and new tabs. */
import type { CDPSession, Protocol } from "./puppeteer.ts";
import type { RequestRules } from "./request-rules.ts";

export interface GuardOptions {
  rules: RequestRules;
  /** The address of the page in front. */
  page(): string;
  refused(url: string, why: string, isDocument: boolean): void;
}

export async function guardRequests(session: CDPSession, options: GuardOptions): Promise<void> {
  session.on("Fetch.requestPaused", (paused) => void judge(session, paused, options));
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] });
}

async function judge(
  session: CDPSession,
  { requestId, request, resourceType }: Protocol.Fetch.RequestPausedEvent,
  { rules, page, refused }: GuardOptions,
): Promise<void> {
  const { url } = request;
  const isDocument = resourceType === "Document";
  let why: string | undefined;
  try {
    why = await rules.refusal({ url, isDocument, page: page() });
  } catch (error) {
    why = `it could not be checked (${error instanceof Error ? error.message : String(error)})`;
  }
  const answer =
    why === undefined
      ? session.send("Fetch.continueRequest", { requestId })
      : // A page that is not opened leaves the current one in place.
        session.send("Fetch.failRequest", {
          requestId,
          errorReason: isDocument ? "Aborted" : "BlockedByClient",
        });
  if (why !== undefined) refused(url, why, isDocument);
  await answer.catch(() => {
    // The page ended, or canceled the request.
  });
}
