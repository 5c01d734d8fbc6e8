/** The description of all routes, as OpenAPI writes it. */
@NullMarked
package dev.millrace.server.openapi;

import org.jspecify.annotations.NullMarked;
