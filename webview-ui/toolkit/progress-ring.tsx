/**
 * Indicates "busy" only visually; the text is beside it. Replaces the toolkit's ring, whose drawing changes sixty times
 * a second and kept half a processor busy for as long as the agent worked.
 */
export function ProgressRing() {
  return <span className="ring" aria-hidden="true" />;
}
