/// The JSON bodies of the requests that the client sends and of the responses that it reads, as `openapi.yaml` describes
/// them. A response has more members than the client reads.
enum Wire {}
