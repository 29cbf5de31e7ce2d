declare module "*.css";
/** The minified style sheet as text, for a chunk that adopts its styles when it loads. */
declare module "*.css?text" {
  const css: string;
  export default css;
}
