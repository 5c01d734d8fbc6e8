/** What the server does at this moment, for people who watch it. */
@NullMarked
package dev.millrace.server.live;

import org.jspecify.annotations.NullMarked;
