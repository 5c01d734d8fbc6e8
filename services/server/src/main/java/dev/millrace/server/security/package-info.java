/** Authentication and authorization of callers. */
@NullMarked
package dev.millrace.server.security;

import org.jspecify.annotations.NullMarked;
