"""Writes the workbooks of this folder's tests, as openpyxl and pandas write them: python3 write-workbooks.py FOLDER"""
import datetime, io, re, sys, zipfile
import openpyxl, pandas

folder = sys.argv[1]


def ring(x, accuracy=4.5):
    corners = [(-6.58, x), (-6.58, x + 0.004), (-6.576, x + 0.004), (-6.58, x)]
    return ";".join(f"{lat:.6f} {lon:.6f} 0.0 {accuracy}" for lat, lon in corners)


# A title, a sheet of words before, hidden rows, merged cells, numbers shown with zeros, dates, a formula without a value.
book = openpyxl.Workbook()
book.active.title = "Leia-me"
book.active.append(["Preencha a folha seguinte"])
sheet = book.create_sheet("Talhões")
sheet.append(["Produtores 2026"])
sheet.append([])
sheet.append(["Código do talhão", "Produtor", "Latitude", "Longitude", "Área (ha)", "Data", "Hora"])
sheet.append([12, "Ana", -6.580234, -55.245123, 2.5, datetime.date(2026, 5, 1), datetime.datetime(2026, 5, 1, 10, 30)])
sheet.append([13, None, "6°34'48.8\"S", "55°14'20.8\"W", 1.25, datetime.date(1900, 3, 1), None])
for row in (4, 5):
    sheet.cell(row, 1).number_format = "00000"
sheet.row_dimensions[5].hidden = True
sheet.merge_cells("B4:B5")
book.save(f"{folder}/titled.xlsx")

# Days counted from 1904, and formulas: one with its value, which a spreadsheet stores, and one without.
book = openpyxl.Workbook()
book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
sheet = book.active
sheet.append(["plot_id", "lat", "lon", "visited"])
sheet.append(["P-1", -6.58, -55.2, datetime.date(2026, 5, 1)])
sheet.append(["P-2", "=-6.5-0.25", -55.3, None])
sheet.append(["P-3", "=-6.5-0.5", -55.4, None])
made = io.BytesIO()
book.save(made)
with zipfile.ZipFile(made) as source, zipfile.ZipFile(f"{folder}/formulas-1904.xlsx", "w", zipfile.ZIP_DEFLATED) as target:
    for name in source.namelist():
        data = source.read(name)
        if name == "xl/worksheets/sheet1.xml":
            data = re.sub(rb"<f>-6.5-0.25</f><v ?/?>(</v>)?", b"<f>-6.5-0.25</f><v>-6.75</v>", data)
        target.writestr(name, data)

# A form of ODK with its repeated group, and one of KoboToolbox.
book = openpyxl.Workbook()
form = book.active
form.title = "form"
form.append(["SubmissionDate", "farmer", "country", "KEY"])
form.append(["2026-05-01", "Ana", "BR", "uuid:1"])
form.append(["2026-05-02", "Bia", "BR", "uuid:2"])
group = book.create_sheet("plots")
group.append(["crop", "border", "PARENT_KEY", "KEY"])
for i in range(3):
    group.append(["coffee", ring(-55.2 + i * 0.01), f"uuid:{1 + i // 2}", f"uuid:{1 + i // 2}/plots[{i + 1}]"])
book.save(f"{folder}/odk.xlsx")
with pandas.ExcelWriter(f"{folder}/kobo.xlsx", engine="openpyxl") as writer:
    pandas.DataFrame({"farmer_name": ["Ana", "Bia"], "_id": [901, 902], "_index": [1, 2]}).to_excel(writer, sheet_name="Farms", index=False)
    pandas.DataFrame({"plot_boundary": [ring(-55.2, 12.5), ring(-55.1)], "_index": [1, 2], "_parent_table_name": ["Farms", "Farms"], "_parent_index": [2, 1]}).to_excel(writer, sheet_name="plots", index=False)

# A sheet that pandas writes with its index, which has no name.
pandas.DataFrame({"plot_id": ["P-1", "P-2"], "latitude": [-6.58, -6.59], "longitude": [-55.2, -55.3], "ok": [True, False]}).to_excel(f"{folder}/pandas-index.xlsx")
