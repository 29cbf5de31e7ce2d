/** The toolkit adds a style element to try out a selector, and looks for the page's nonce in this attribute. */
const meta = document.querySelector('meta[property="csp-nonce"]');
if (meta instanceof HTMLMetaElement && meta.nonce) meta.content = meta.nonce;
