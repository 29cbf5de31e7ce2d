/** The parts of the ACP SDK that Nekode uses. This is the entry of a separate bundle, which loads with `nekode acp`. */
export { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";
