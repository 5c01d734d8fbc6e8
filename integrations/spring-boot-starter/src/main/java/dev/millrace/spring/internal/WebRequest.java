package dev.millrace.spring.internal;

import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of a request that expressions see, the same for servlets and for WebFlux.
 *
 * @param method the method, in capitals
 * @param path the path below the application's own
 * @param header the header fields by name, case-insensitive; the first value of each
 * @param principal the authenticated principal, null for none
 * @param remote the address of the client
 * @param request the request of the framework
 */
record WebRequest(
    String method,
    String path,
    Supplier<Map<String, String>> header,
    Supplier<@Nullable String> principal,
    String remote,
    Object request) {}
