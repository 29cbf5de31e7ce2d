/** How the user visits an authorization server, and how its answer comes back. */

export interface SignInUi {
  /** Prepares to receive one answer. */
  begin(): Promise<SignInPage>;
}

export interface SignInPage {
  /** The address to which the authorization server sends the user back. */
  redirectUrl: string;
  /**
   * Shows the address to the user. Resolves with the address to which they were sent back, with its parameters. Rejects with
   * Failed if the address cannot be shown, or if the user does not want to visit it.
   */
  open(address: URL): Promise<URL>;
  /** Nothing is received any more. Never rejects. */
  close(): void;
}

/** An answer whose query an editor has decoded already, so that its values are read as they are. */
export function answerOfQuery(decoded: string): URL {
  const answer = new URL("nekode:/");
  for (const pair of decoded.split("&")) {
    const [name = "", ...value] = pair.split("=");
    answer.searchParams.append(name, value.join("="));
  }
  return answer;
}
