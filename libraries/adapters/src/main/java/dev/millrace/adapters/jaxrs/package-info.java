/** JAX-RS servers, charged for each request. */
@NullMarked
package dev.millrace.adapters.jaxrs;

import org.jspecify.annotations.NullMarked;
