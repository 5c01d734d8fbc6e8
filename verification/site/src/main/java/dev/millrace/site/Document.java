package dev.millrace.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/**
 * A Markdown file of the repository, read once. The pages are made of it, and the tests check what
 * it says, so that both see the same headings, links and blocks.
 *
 * @param path from the root of the repository, with slashes
 * @param tree as it was parsed
 * @param title its first heading
 * @param headings in the order of the text
 * @param blocks what is fenced as code
 * @param links where it points to
 * @param codes what stands as code within its sentences
 */
public record Document(
    String path,
    Node tree,
    String title,
    List<Section> headings,
    List<CodeBlock> blocks,
    List<Reference> links,
    List<Reference> codes) {
  private static final Parser PARSER =
      Parser.builder()
          .extensions(List.of(TablesExtension.create()))
          .includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES)
          .build();

  /**
   * A heading.
   *
   * @param level 1 for the title
   * @param anchor unique within the document
   * @param text without markup
   */
  public record Section(int level, String anchor, String text) {}

  /**
   * A link, an image, or code within a sentence.
   *
   * @param line where it stands, from 1
   * @param target where it leads, or what it says, as it is written
   */
  public record Reference(int line, String target) {}

  public Document {
    headings = List.copyOf(headings);
    blocks = List.copyOf(blocks);
    links = List.copyOf(links);
    codes = List.copyOf(codes);
  }

  /** Reads a file of the repository at {@code root}. */
  public static Document read(Path root, String path) throws IOException {
    return parse(path, Files.readString(root.resolve(path)));
  }

  static Document parse(String path, String text) {
    Node tree = PARSER.parse(text);
    Collector collector = new Collector(path);
    tree.accept(collector);
    if (collector.headings.isEmpty() || collector.headings.get(0).level() != 1) {
      throw new SiteException(path, 1, "does not begin with a heading of the first level");
    }
    return new Document(
        path,
        tree,
        collector.headings.get(0).text(),
        collector.headings,
        collector.blocks,
        collector.links,
        collector.codes);
  }

  /** Whether a link to {@code #anchor} arrives. */
  public boolean hasAnchor(String anchor) {
    return headings.stream().anyMatch(heading -> heading.anchor().equals(anchor));
  }

  /** The line on which a node begins, from 1. */
  static int line(Node node) {
    return node.getSourceSpans().isEmpty() ? 1 : node.getSourceSpans().get(0).getLineIndex() + 1;
  }

  private static final class Collector extends AbstractVisitor {
    private final String path;
    private final Anchors anchors = new Anchors();
    private final List<Section> headings = new ArrayList<>();
    private final List<CodeBlock> blocks = new ArrayList<>();
    private final List<Reference> links = new ArrayList<>();
    private final List<Reference> codes = new ArrayList<>();
    private final StringBuilder given = new StringBuilder();
    private String proof = "";

    Collector(String path) {
      this.path = path;
    }

    @Override
    public void visit(Heading heading) {
      String text = PlainText.of(heading);
      headings.add(new Section(heading.getLevel(), anchors.next(text), text));
      visitChildren(heading);
    }

    @Override
    public void visit(HtmlBlock html) {
      given.append(CodeBlock.given(html.getLiteral()));
      proof = CodeBlock.proof(html.getLiteral());
    }

    @Override
    public void visit(FencedCodeBlock block) {
      String info = block.getInfo() == null ? "" : block.getInfo().strip();
      blocks.add(
          new CodeBlock(path, line(block), info, block.getLiteral(), given.toString(), proof));
      proof = "";
    }

    @Override
    public void visit(Link link) {
      links.add(new Reference(line(link), link.getDestination()));
      visitChildren(link);
    }

    @Override
    public void visit(Code code) {
      codes.add(new Reference(line(code), code.getLiteral()));
    }

    @Override
    public void visit(Image image) {
      links.add(new Reference(line(image), image.getDestination()));
      visitChildren(image);
    }
  }
}
