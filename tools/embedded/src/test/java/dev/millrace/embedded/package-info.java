@NullMarked
package dev.millrace.embedded;

import org.jspecify.annotations.NullMarked;
