/** The documents as static pages: read, linked, rendered. */
@NullMarked
package dev.millrace.site;

import org.jspecify.annotations.NullMarked;
