/**
 * Says "busy" to the eye alone; the words stand beside it. Not the toolkit's own ring: that one is a drawing that
 * changes sixty times a second, and kept half a processor busy for as long as the agent worked.
 */
export function ProgressRing() {
  return <span className="ring" aria-hidden="true" />;
}
