package dev.millrace.site;

/** A document that cannot be made into a page. The message says where and why. */
public final class SiteException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SiteException(String path, int line, String problem) {
    super(path + ":" + line + ": " + problem);
  }
}
