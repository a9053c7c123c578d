/// The JSON bodies of the client's requests and of the responses that it reads, as described in `openapi.yaml`. The
/// client ignores further members of a response.
enum Wire {}
