/** The adapter for JAX-RS servers, which charges each request. */
@NullMarked
package dev.millrace.adapters.jaxrs;

import org.jspecify.annotations.NullMarked;
