package dev.millrace.proving.fuzz;

import java.util.Set;

/** Sorts of requests, and what may be answered to each. {@link FuzzAnswer#CLOSED} is a hang-up. */
public enum Kind {
  /** A request that is right, and is charged. */
  VALID(Set.of(200)),
  /** JSON that is none, or is not what is asked for. */
  MALFORMED_JSON(Set.of(400)),
  /** JSON that goes deeper than anybody needs. */
  DEEP_JSON(Set.of(400, 413)),
  /** Bytes that are no text. */
  BAD_UTF8(Set.of(400)),
  /** Numbers that are too large, too long, or none. */
  HUGE_NUMBERS(Set.of(400, 429)),
  /** Less of a body than was announced. */
  TRUNCATED(Set.of(FuzzAnswer.CLOSED, 400, 408)),
  /** More headers, or longer ones, than anybody needs. */
  HEADER_FLOOD(Set.of(FuzzAnswer.CLOSED, 400, 431)),
  /** A length that is none, or two that differ. */
  WRONG_LENGTH(Set.of(FuzzAnswer.CLOSED, 400, 413)),
  /** Paths that try to get somewhere else, and targets that are none. */
  PATH_TRICKS(Set.of(FuzzAnswer.CLOSED, 400, 403, 404, 405, 414, 431)),
  /** Methods that are not for the path, or for anything. */
  ODD_METHOD(Set.of(FuzzAnswer.CLOSED, 400, 404, 405, 501)),
  /** Leases that nobody was given. */
  FORGED_LEASE(Set.of(400, 403, 404, 405, 410)),
  /** Names that are no names. */
  BAD_NAMES(Set.of(400, 404)),
  /** Somebody who asks for another machine, as a page that was lured here would. */
  FOREIGN_HOST(Set.of(FuzzAnswer.CLOSED, 400, 403)),
  /** Changes that an administrator might ask for, if they said what. */
  ADMIN_WRITE(Set.of(400, 403, 404, 413, 422)),
  /** Questions of an administrator that have no answer. */
  ADMIN_QUESTION(Set.of(400, 403, 404)),
  /** What begins like HTTP/2 and goes on like nothing. */
  HTTP2_GARBAGE(Set.of(FuzzAnswer.CLOSED, FuzzAnswer.BINARY, 400)),
  /** Bytes. */
  NOISE(Set.of(FuzzAnswer.CLOSED, FuzzAnswer.BINARY, 400));

  @SuppressWarnings("ImmutableEnumChecker") // all of them are Set.of
  private final Set<Integer> allowed;

  Kind(Set<Integer> allowed) {
    this.allowed = allowed;
  }

  /** What may be answered; a server that has too much to do may always say so. */
  public boolean allows(int status) {
    return allowed.contains(status) || status == 503;
  }
}
