/** What is stored beside buckets: entities, limits, namespaces, audit events, running work. */
@NullMarked
package dev.millrace.core.spi.directory;

import org.jspecify.annotations.NullMarked;
