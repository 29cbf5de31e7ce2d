/** Output of a person's terminal that the editor did not pass on. */

/** What a line begins with that tells of lost output. */
export const lossMark = "(the editor did not pass on";

/**
 * The chunks of one command, as the editor passes them on, with a line that tells the model where it passed on nothing or
 * not how the output begins. A shell with integration marks that first: `OSC 633 ; C`, or `OSC 133 ; C` of FinalTerm
 * (code.visualstudio.com/docs/terminal/shell-integration).
 *
 * VS Code (seen in 1.100 to 1.139) starts to pass chunks on a microtask after its event of the command's start; where that
 * event and the output of a quick command reach the extension host at once, as over a remote window's socket, they are gone.
 */
export async function* markLostOutput(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let any = false;
  for await (const chunk of chunks) {
    if (!any && !/\x1b\][16]33;C/.test(chunk)) yield `${lossMark} how this output begins)\n`;
    any = true;
    yield chunk;
  }
  if (!any) yield `${lossMark} the output of this command)\n`;
}
