package dev.millrace.server;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How connections are encrypted.
 *
 * @param certificate the server's own and those that vouch for it, PEM
 * @param key its private key, PEM
 * @param clientAuthorities who vouches for clients, PEM; null when clients need no certificate
 */
public record Tls(Path certificate, Path key, @Nullable Path clientAuthorities) {}
