/** JSON as requests bring it and answers carry it: read strictly, written plainly. */
@NullMarked
package dev.millrace.server.json;

import org.jspecify.annotations.NullMarked;
