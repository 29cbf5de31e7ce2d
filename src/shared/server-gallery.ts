/** The list of MCP servers that the user configured, from which servers are added. */
import * as z from "./zod.ts";

const galleryServerSchema = z.object({
  /** As in the list, such as `io.github.user/server`. */
  name: z.string(),
  title: z.string(),
  description: z.string(),
  /** What the form that adds it begins with: JSON as in a README. */
  text: z.string(),
});
export type GalleryServer = z.infer<typeof galleryServerSchema>;

export const serverGallerySchema = z.object({
  /** The address or file that the setting names; "": none. */
  source: z.string(),
  servers: z.array(galleryServerSchema),
  /** Why the list could not be read. */
  problem: z.optional(z.string()),
});
export type ServerGallery = z.infer<typeof serverGallerySchema>;
