/** Marks terminal output that the editor did not pass on. */

/** Prefix of the line that reports lost output. */
export const LOSS_MARK = "(the editor did not pass on";

/**
 * Yields the chunks of one command as the editor passes them on, with a line that tells the model if the editor passed
 * on nothing, or not the beginning of the output. A shell with integration marks the beginning with `OSC 633 ; C`, or
 * `OSC 133 ; C` of FinalTerm (code.visualstudio.com/docs/terminal/shell-integration).
 *
 * VS Code (seen in 1.100 to 1.139) starts to pass on chunks in a microtask after the event for the command's start. If
 * that event and the output of a quick command reach the extension host together, as they can over a remote window's
 * socket, the output is lost.
 */
export async function* markLostOutput(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let any = false;
  for await (const chunk of chunks) {
    if (!any && !/\x1b\][16]33;C/.test(chunk)) yield `${LOSS_MARK} how this output begins)\n`;
    any = true;
    yield chunk;
  }
  if (!any) yield `${LOSS_MARK} the output of this command)\n`;
}
