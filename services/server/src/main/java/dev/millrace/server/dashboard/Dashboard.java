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

/**
 * The page at {@code /}. It asks the same routes as every other client, with a key that its user
 * types in, so the files themselves are for everybody: there is nothing in them but the program.
 *
 * <p>A browser is told to run nothing that is not one of these files, and to talk to nobody else:
 * were a name of a tenant ever taken for markup, it could do nothing.
 */
public final class Dashboard implements Feature {
  private static final String POLICY =
      "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " object-src 'none'";
  private static final String FOR_EVER = "public, max-age=31536000, immutable";
  private static final String ASK_AGAIN = "no-cache";

  @Override
  public void addTo(ServerBuilder server, ServerParts parts) {
    Assets assets = Assets.load();
    String etag = '"' + assets.hash() + '"';
    server.route().get("/").build(page(assets, etag));
    assets
        .files()
        .forEach(
            (name, content) ->
                server
                    .route()
                    .get("/assets/" + assets.hash() + "/" + name)
                    .build((context, request) -> answer(type(name), FOR_EVER, etag, content)));
  }

  private static HttpService page(Assets assets, String etag) {
    return (context, request) ->
        etag.equals(request.headers().get(HttpHeaderNames.IF_NONE_MATCH))
            ? HttpResponse.of(
                ResponseHeaders.of(
                    HttpStatus.NOT_MODIFIED,
                    HttpHeaderNames.ETAG,
                    etag,
                    HttpHeaderNames.CACHE_CONTROL,
                    ASK_AGAIN))
            : answer(MediaType.HTML_UTF_8, ASK_AGAIN, etag, assets.page());
  }

  private static HttpResponse answer(MediaType type, String cache, String etag, HttpData content) {
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
