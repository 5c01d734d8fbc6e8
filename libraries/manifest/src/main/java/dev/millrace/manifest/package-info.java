/** What is wanted of a namespace, wherever it is written down. */
@NullMarked
package dev.millrace.manifest;

import org.jspecify.annotations.NullMarked;
