package dev.millrace.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.LinkedCaseInsensitiveMap;

/** A request to a servlet. */
record ServletWebRequest(HttpServletRequest request) implements WebRequest {
  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public String path() {
    return request.getRequestURI().substring(request.getContextPath().length());
  }

  @Override
  public Map<String, String> header() {
    Map<String, String> header = new LinkedCaseInsensitiveMap<>();
    for (String name : Collections.list(request.getHeaderNames())) {
      header.put(name, request.getHeader(name));
    }
    return header;
  }

  @Override
  public @Nullable String principal() {
    Principal principal = request.getUserPrincipal();
    return principal == null ? null : principal.getName();
  }

  @Override
  public String remote() {
    return request.getRemoteAddr();
  }
}
