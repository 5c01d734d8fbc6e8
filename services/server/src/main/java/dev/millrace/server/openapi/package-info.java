/** The OpenAPI description of all routes. */
@NullMarked
package dev.millrace.server.openapi;

import org.jspecify.annotations.NullMarked;
