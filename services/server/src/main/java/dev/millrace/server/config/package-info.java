/** What a server is told, by whom, and what it makes of it. */
@NullMarked
package dev.millrace.server.config;

import org.jspecify.annotations.NullMarked;
