/** JSON and YAML: strict readers of requests and files, and a writer of responses and problems. */
@NullMarked
package dev.millrace.server.json;

import org.jspecify.annotations.NullMarked;
