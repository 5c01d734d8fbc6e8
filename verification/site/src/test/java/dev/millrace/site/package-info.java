@NullMarked
package dev.millrace.site;

import org.jspecify.annotations.NullMarked;
