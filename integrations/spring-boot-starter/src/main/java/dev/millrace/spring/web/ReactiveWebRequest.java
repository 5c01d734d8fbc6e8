package dev.millrace.spring.web;

import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.LinkedCaseInsensitiveMap;

/**
 * A request to a WebFlux application.
 *
 * @param principal the authenticated principal, null for none
 */
record ReactiveWebRequest(ServerHttpRequest request, @Nullable String principal)
    implements WebRequest {
  @Override
  public String method() {
    return request.getMethod().name();
  }

  @Override
  public String path() {
    return request.getPath().pathWithinApplication().value();
  }

  @Override
  public Map<String, String> header() {
    return first(request.getHeaders());
  }

  /** The first value of each field. */
  static Map<String, String> first(HttpHeaders fields) {
    Map<String, String> header = new LinkedCaseInsensitiveMap<>();
    fields.toSingleValueMap().forEach(header::put);
    return header;
  }

  @Override
  public String remote() {
    InetSocketAddress address = request.getRemoteAddress();
    return address == null || address.getAddress() == null
        ? ""
        : address.getAddress().getHostAddress();
  }
}
