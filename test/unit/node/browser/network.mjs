/**
 * The network of a namespace, played on its loopback device: a name server, and a web server on every address. Prints
 * `ready`, then a line for each request, such as `cats.example /`.
 */
import { createSocket } from "node:dgram";
import { createServer } from "node:http";

/** @type {Record<string, { 1?: number[]; 28?: number[] }>} the bytes of addresses, by name and type of record */
const NAMES = JSON.parse(process.argv[2] ?? "{}");
/** @type {string[]} hosts to which each page leads */
const LINKS = JSON.parse(process.argv[3] ?? "[]");
const QUESTION_AT = 12;

const names = createSocket("udp4");
names.on("message", (query, { port, address }) => {
  const labels = [];
  let at = QUESTION_AT;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const question = query.subarray(QUESTION_AT, at + 5);
  const known = NAMES[labels.join(".").toLowerCase()];
  const type = query.readUInt16BE(at + 1);
  const found = type === 1 ? known?.[1] : type === 28 ? known?.[28] : undefined;
  const flags = [0x81, known ? 0x80 : 0x83, 0, 1, 0, found ? 1 : 0, 0, 0, 0, 0];
  const record = found ? [0xc0, QUESTION_AT, 0, type, 0, 1, 0, 0, 0, 60, 0, found.length, ...found] : [];
  names.send(
    Buffer.concat([query.subarray(0, 2), Buffer.from(flags), question, Buffer.from(record)]),
    port,
    address,
  );
});
const links = LINKS.map((host) => `<div><a href="http://${host}/">${host}</a></div>`).join("");
const web = createServer(({ headers, url }, response) => {
  console.log(`${headers.host} ${url}`);
  response
    .writeHead(200, { "content-type": "text/html" })
    .end(`<title>Opened ${headers.host}</title><link rel="icon" href="data:,"><h1>Cats</h1>${links}`);
});
names.bind(53, "127.0.0.1", () => web.listen(80, "::", () => console.log("ready")));
