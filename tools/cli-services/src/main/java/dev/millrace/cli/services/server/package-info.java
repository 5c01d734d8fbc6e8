/**
 * The commands that run a server, and make what a server is given: keys, mappings, sample tenants.
 */
@NullMarked
package dev.millrace.cli.services.server;

import org.jspecify.annotations.NullMarked;
