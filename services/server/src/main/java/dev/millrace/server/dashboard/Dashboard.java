package dev.millrace.server.dashboard;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import dev.millrace.server.Feature;
import dev.millrace.server.ServerParts;
import dev.millrace.server.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The page at {@code /}. It uses the same routes as every other client, with a key that its user
 * enters, so the files themselves need no key. All but the page are under a path with a hash of
 * their content, so that browsers may cache them for ever and never mix two versions.
 *
 * <p>A browser is told to run nothing but these files, and to connect to no other server: if the
 * name of a tenant were ever taken for markup, it could do nothing.
 */
public final class Dashboard implements Feature {
  private static final String POLICY =
      "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " object-src 'none'";
  private static final String FOR_EVER = "public, max-age=31536000, immutable";
  private static final String REVALIDATE = "no-cache";
  private static final String PAGE = "index.html";
  private static final String HASH_IN_PAGE = "HASH";
  private static final int HASH_LENGTH = 16;

  /** Every file but the page; a directory of a jar cannot be listed. */
  static final List<String> FILES =
      List.of(
          "api.js",
          "app.js",
          "balance.js",
          "bucket.js",
          "dom.js",
          "format.js",
          "icon.svg",
          "limits.js",
          "live.js",
          "plot.js",
          "regions.js",
          "repeat.js",
          "style.css",
          "tenant.js",
          "tenants.js",
          "try.js");

  @Override
  public void addTo(ServerBuilder server, ServerParts parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    FILES.forEach(name -> all.writeBytes(read(name)));
    String hash = Sha256.hex(all.toByteArray()).substring(0, HASH_LENGTH);
    String etag = '"' + hash + '"';
    String page = new String(read(PAGE), StandardCharsets.UTF_8).replace(HASH_IN_PAGE, hash);
    server.route().get("/").build(page(HttpData.ofUtf8(page), etag));
    for (String name : FILES) {
      HttpData content = HttpData.wrap(read(name));
      server
          .route()
          .get("/assets/" + hash + "/" + name)
          .build((context, request) -> response(type(name), FOR_EVER, etag, content));
    }
  }

  private static byte[] read(String name) {
    try (InputStream in = Dashboard.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static HttpService page(HttpData page, String etag) {
    return (context, request) ->
        etag.equals(request.headers().get(HttpHeaderNames.IF_NONE_MATCH))
            ? HttpResponse.of(
                ResponseHeaders.of(
                    HttpStatus.NOT_MODIFIED,
                    HttpHeaderNames.ETAG,
                    etag,
                    HttpHeaderNames.CACHE_CONTROL,
                    REVALIDATE))
            : response(MediaType.HTML_UTF_8, REVALIDATE, etag, page);
  }

  private static HttpResponse response(
      MediaType type, String cache, String etag, HttpData content) {
    return HttpResponse.of(
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(type)
            .set(HttpHeaderNames.CACHE_CONTROL, cache)
            .set(HttpHeaderNames.ETAG, etag)
            .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY)
            .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
            .set(HttpHeaderNames.REFERRER_POLICY, "no-referrer")
            .set("cross-origin-opener-policy", "same-origin")
            .set("cross-origin-resource-policy", "same-origin")
            .build(),
        content);
  }

  private static MediaType type(String name) {
    if (name.endsWith(".js")) {
      return MediaType.JAVASCRIPT_UTF_8;
    }
    return name.endsWith(".css") ? MediaType.CSS_UTF_8 : MediaType.SVG_UTF_8;
  }
}
