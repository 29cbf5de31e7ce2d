/** The parts of the MCP SDK that Nekode uses. This is the entry of a separate bundle, which loads with the first server. */
export {
  Client,
  deserializeMessage,
  LOG_LEVEL_META_KEY,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  serializeMessage,
  UnauthorizedError,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/client";
