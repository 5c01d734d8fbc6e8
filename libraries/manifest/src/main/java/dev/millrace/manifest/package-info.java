/** The desired state of a namespace, independent of its format. */
@NullMarked
package dev.millrace.manifest;

import org.jspecify.annotations.NullMarked;
