package dev.millrace.spring.web;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of a request that expressions see, the same for servlets and for WebFlux. */
interface WebRequest {
  /** The method, in capitals. */
  String method();

  /** The path below the application's own. */
  String path();

  /** The header fields by name, case-insensitive; the first value of each. */
  Map<String, String> header();

  /** The authenticated principal, null for none. */
  @Nullable String principal();

  /** The address of the client. */
  String remote();

  /** The request of the framework. */
  Object request();
}
