// java Validate.java XSD XML...: a line for each file, true or false. The JDK has Xerces, with which LemMinX, the server in Red Hat's extension for XML, validates.
import java.io.File;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.xml.sax.SAXException;

public class Validate {
  public static void main(String[] args) throws Exception {
    Schema schema = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(new File(args[0]));
    for (int k = 1; k < args.length; k++) {
      boolean isValid = true;
      try {
        schema.newValidator().validate(new StreamSource(new File(args[k])));
      } catch (SAXException wrong) {
        isValid = false;
      }
      System.out.println(isValid);
    }
  }
}
