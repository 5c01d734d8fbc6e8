/** What a region publishes in each window, as bytes: written and read without being held whole. */
@NullMarked
package dev.millrace.regions.snapshot;

import org.jspecify.annotations.NullMarked;
