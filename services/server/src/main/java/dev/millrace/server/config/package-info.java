/** The configuration of a server: keys, values with their origins, and checked settings. */
@NullMarked
package dev.millrace.server.config;

import org.jspecify.annotations.NullMarked;
