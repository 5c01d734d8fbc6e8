package dev.millrace.site;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.html.HtmlWriter;

/**
 * A document as HTML, without what is around it. Links lead to pages of the site, headings can be
 * linked to, code is coloured, diagrams stand in the page itself, screenshots beside it, and what
 * may be wider than a telephone can be scrolled with the keyboard.
 */
final class Body {
  private static final Map<String, String> SCROLLED =
      Map.of("class", "scroll", "tabindex", "0", "role", "region");

  private final Document document;
  private final Pages pages;
  private final Function<String, String> diagrams;

  /**
   * @param diagrams the text of a diagram, by its path in the repository
   */
  Body(Document document, Pages pages, Function<String, String> diagrams) {
    this.document = document;
    this.pages = pages;
    this.diagrams = diagrams;
  }

  String html() {
    return HtmlRenderer.builder()
        .nodeRendererFactory(Own::new)
        .extensions(List.of(TablesExtension.create()))
        .build()
        .render(document.tree());
  }

  private final class Own implements NodeRenderer {
    private final HtmlNodeRendererContext context;
    private final HtmlWriter html;
    private final Iterator<Document.Section> headings = document.headings().iterator();
    private String heading = document.title();

    Own(HtmlNodeRendererContext context) {
      this.context = context;
      this.html = context.getWriter();
    }

    @Override
    public Set<Class<? extends Node>> getNodeTypes() {
      return Set.of(
          Heading.class,
          FencedCodeBlock.class,
          IndentedCodeBlock.class,
          TableBlock.class,
          Link.class,
          Image.class,
          HtmlBlock.class,
          HtmlInline.class);
    }

    @Override
    public void render(Node node) {
      if (node instanceof Heading found) {
        heading(found);
      } else if (node instanceof FencedCodeBlock block) {
        String info = block.getInfo() == null ? "" : block.getInfo();
        code(block.getLiteral(), info.split("\\s+", 2)[0]);
      } else if (node instanceof IndentedCodeBlock block) {
        code(block.getLiteral(), "");
      } else if (node instanceof TableBlock table) {
        table(table);
      } else if (node instanceof Link link) {
        link(link);
      } else if (node instanceof Image image) {
        image(image);
      } else {
        comment(node);
      }
    }

    private void heading(Heading node) {
      Document.Section section = headings.next();
      heading = section.text();
      String tag = "h" + section.level();
      html.line();
      html.tag(tag, Map.of("id", section.anchor()));
      children(node);
      if (section.level() > 1) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("class", "anchor");
        attributes.put("href", "#" + section.anchor());
        attributes.put("aria-label", "Link to " + section.text());
        html.tag("a", attributes);
        html.text("#");
        html.tag("/a");
      }
      html.tag("/" + tag);
      html.line();
    }

    private void code(String text, String language) {
      html.line();
      html.tag("pre", scrolled("Code"));
      html.tag("code");
      html.raw(Highlighter.html(text, language));
      html.tag("/code");
      html.tag("/pre");
      html.line();
    }

    private void table(TableBlock node) {
      html.line();
      html.tag("div", scrolled("Table"));
      html.tag("table");
      html.line();
      children(node);
      html.tag("/table");
      html.tag("/div");
      html.line();
    }

    private void link(Link node) {
      String target = pages.resolve(document, Document.line(node), node.getDestination());
      html.tag("a", Map.of("href", target));
      children(node);
      html.tag("/a");
    }

    private void image(Image node) {
      String path =
          java.nio.file.Path.of(document.path())
              .resolveSibling(node.getDestination())
              .normalize()
              .toString();
      if (path.endsWith(".svg")) {
        diagram(node, path);
      } else if (path.endsWith(".png")) {
        screenshot(node);
      } else {
        throw new SiteException(
            document.path(),
            Document.line(node),
            "'" + path + "' is neither a diagram (.svg) nor a screenshot (.png)");
      }
    }

    private void screenshot(Image node) {
      Map<String, String> attributes = new LinkedHashMap<>();
      attributes.put("class", "screenshot");
      attributes.put("src", pages.resolve(document, Document.line(node), node.getDestination()));
      attributes.put("alt", PlainText.of(node));
      html.tag("img", attributes);
    }

    private void diagram(Image node, String path) {
      html.tag("span", scrolled("Diagram: " + PlainText.of(node), "scroll diagram"));
      html.raw(diagrams.apply(path));
      html.tag("/span");
    }

    /** Comments are for the tests; there is no other HTML in the documents. */
    private void comment(Node node) {
      String literal =
          node instanceof HtmlBlock block
              ? block.getLiteral()
              : node instanceof HtmlInline inline ? inline.getLiteral() : "";
      if (!literal.stripLeading().startsWith("<!--")) {
        throw new SiteException(
            document.path(), Document.line(node), "HTML in a document: " + literal.strip());
      }
    }

    private Map<String, String> scrolled(String what) {
      return scrolled(what + " in " + heading, "scroll");
    }

    private Map<String, String> scrolled(String label, String type) {
      Map<String, String> attributes = new LinkedHashMap<>(SCROLLED);
      attributes.put("class", type);
      attributes.put("aria-label", label);
      return attributes;
    }

    private void children(Node parent) {
      for (Node child = parent.getFirstChild(); child != null; child = child.getNext()) {
        context.render(child);
      }
    }
  }
}
