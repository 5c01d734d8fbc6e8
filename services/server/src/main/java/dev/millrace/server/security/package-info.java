/** Who may call what. */
@NullMarked
package dev.millrace.server.security;

import org.jspecify.annotations.NullMarked;
