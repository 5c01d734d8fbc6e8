package dev.millrace.spring.web;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** As much of a request as expressions see, the same for servlets and for WebFlux. */
interface WebRequest {
  /** The method, in capitals. */
  String method();

  /** The path below the application's own. */
  String path();

  /** The header fields by name, in whatever case; the first value of each. */
  Map<String, String> header();

  /** Who is logged in, null for nobody. */
  @Nullable String principal();

  /** The address that the request comes from. */
  String remote();

  /** The request of the framework. */
  Object request();
}
