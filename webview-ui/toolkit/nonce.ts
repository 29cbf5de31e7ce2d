/** The toolkit adds a style element to test a selector, and reads the page's nonce from this attribute. */
const meta = document.querySelector('meta[property="csp-nonce"]');
if (meta instanceof HTMLMetaElement && meta.nonce) meta.content = meta.nonce;
